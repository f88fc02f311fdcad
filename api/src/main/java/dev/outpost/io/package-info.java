/**
 * Files of tensors at the client: {@code .npy}, {@code .npz} and {@code .safetensors}, as {@link dev.outpost.HostTensor}s and state dicts.
 * Nothing is unpickled. The statements of a header are checked before they are used. Written files appear only when they are complete.
 */
@NullMarked
package dev.outpost.io;

import org.jspecify.annotations.NullMarked;
