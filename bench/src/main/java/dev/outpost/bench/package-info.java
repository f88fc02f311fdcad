/** Programs that measure: what others can run to see whether what is claimed holds on their machine. */
package dev.outpost.bench;
