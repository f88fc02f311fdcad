/** Maps of functions over a dimension: tensors that stand for one example, and rules that apply each primitive to all examples. */
package dev.outpost.internal.vmap;
