/** Datasets: reading the official files, making features of them, keeping and fetching them. For Node alone. */
export { type Catalogue, type CatalogueOptions, type CataloguePeer, loadCatalogue } from "./catalogue.ts";
export { type CheckResult, checkDataset } from "./check.ts";
export { DATASETS, type Dataset, datasetsNamed, loaderNamed, MOVIELENS, OFFICIAL_BASE } from "./datasets.ts";
export type { Progress } from "./fetching/download.ts";
export { FetchError } from "./fetching/errors.ts";
export { type FetchOptions, type FetchResult, fetchDataset } from "./fetching/fetch.ts";
export { importDataset } from "./import.ts";
export type { Interactions, Note } from "./interactions.ts";
export type { Loader } from "./loaders/loader.ts";
export { cacheDirectory, dataDirectory } from "./places.ts";
export { type ArchiveRecord, type Register, type RegisterEntry, readRegister } from "./register.ts";
