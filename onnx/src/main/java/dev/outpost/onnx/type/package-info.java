/** Types that all other packages of the module share: the precision of transfers, and the exception for refused models. */
@NullMarked
package dev.outpost.onnx.type;

import org.jspecify.annotations.NullMarked;
