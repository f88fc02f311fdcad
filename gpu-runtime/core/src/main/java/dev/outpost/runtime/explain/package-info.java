/** Explains how a value was computed, from the plan that computed it and the times of the plan's runs. */
package dev.outpost.runtime.explain;
