/** The version of this package: in manifests, so that results of two versions are never taken for one another's. */
export const VERSION = "0.1.0";
