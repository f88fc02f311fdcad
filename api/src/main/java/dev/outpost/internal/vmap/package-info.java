/** Maps of functions over a dimension: tensors that stand for one example each, and the rule of each primitive for all of them. */
package dev.outpost.internal.vmap;
