/** Tells how a value was computed: from the plan that computed it, and what was timed of the plan's runs. */
package dev.outpost.runtime.explain;
