/** Which worker computes which part of a model: what parts cost, what workers and links can do, and the best division. */
@NullMarked
package dev.outpost.onnx.plan;

import org.jspecify.annotations.NullMarked;
