/** Buckets of S3, and of stores that speak its protocol. */
package dev.outpost.runtime.sources.s3;
