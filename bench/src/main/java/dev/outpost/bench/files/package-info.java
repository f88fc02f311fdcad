/** Files of benchmarks. */
package dev.outpost.bench.files;
