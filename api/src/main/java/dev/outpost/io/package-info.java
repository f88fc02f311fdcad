/**
 * Files of tensors at the client: {@code .npy}, {@code .npz} and {@code .safetensors}, as {@link dev.outpost.HostTensor}s and state
 * dicts. Nothing is ever unpickled, what a file says of itself is checked before it is relied on, and files appear whole or not at
 * all.
 */
@NullMarked
package dev.outpost.io;

import org.jspecify.annotations.NullMarked;
