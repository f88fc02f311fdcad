/**
 * The graph that autograd records, and the pass that walks it backward.
 */
package dev.outpost.internal.graph;
