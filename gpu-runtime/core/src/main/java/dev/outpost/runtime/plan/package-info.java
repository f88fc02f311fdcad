/** Plans segments before they run, and caches the plans by structure so that repeats cost nothing. */
package dev.outpost.runtime.plan;
