/**
 * How frames travel over gRPC: what both ends must agree on beyond the {@code .proto}, from which the rest of this package
 * is generated.
 */
@NullMarked
package dev.outpost.channel.rpc;

import org.jspecify.annotations.NullMarked;
