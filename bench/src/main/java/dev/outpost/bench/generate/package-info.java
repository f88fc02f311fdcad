/** How fast models generate, beside other engines with the same weights. */
package dev.outpost.bench.generate;
