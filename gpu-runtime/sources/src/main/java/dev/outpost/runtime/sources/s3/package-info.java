/** Buckets of S3, and of stores with the same protocol. */
package dev.outpost.runtime.sources.s3;
