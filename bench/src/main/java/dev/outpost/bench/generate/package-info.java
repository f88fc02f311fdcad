/** The speed of text generation, compared with other engines with the same weights. */
package dev.outpost.bench.generate;
