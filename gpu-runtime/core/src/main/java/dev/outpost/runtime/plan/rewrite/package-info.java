/** The rewrites of a graph before it is planned; none of them changes a bit of the remaining values. */
package dev.outpost.runtime.plan.rewrite;
