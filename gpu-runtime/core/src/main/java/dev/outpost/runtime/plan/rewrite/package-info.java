/** What is taken out of a graph before it is planned; none of it changes a bit of what is left. */
package dev.outpost.runtime.plan.rewrite;
