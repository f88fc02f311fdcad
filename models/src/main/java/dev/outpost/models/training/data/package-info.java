/** Data sets of text: streamed from files and stores, shuffled by a seed, tokenized and packed, and resumed where they stood. */
package dev.outpost.models.training.data;
