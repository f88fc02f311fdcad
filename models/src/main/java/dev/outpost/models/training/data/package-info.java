/** Text data sets: streaming from files and stores, shuffling by a seed, tokenization, packing, and resuming. */
package dev.outpost.models.training.data;
