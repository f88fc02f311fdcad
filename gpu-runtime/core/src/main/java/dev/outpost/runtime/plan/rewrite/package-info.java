/** Rewrites of a graph before it is planned. A rewrite never changes a bit of a remaining value. */
package dev.outpost.runtime.plan.rewrite;
