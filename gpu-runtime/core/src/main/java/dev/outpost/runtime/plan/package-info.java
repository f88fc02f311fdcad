/** The knowledge of a segment before it runs, kept by structure so that repeats cost nothing. */
package dev.outpost.runtime.plan;
