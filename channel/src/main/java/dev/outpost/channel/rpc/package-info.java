/**
 * The transport of frames over gRPC. This package has the parts on which both ends must agree beyond the {@code .proto}, and the
 * classes generated from the {@code .proto}.
 */
@NullMarked
package dev.outpost.channel.rpc;

import org.jspecify.annotations.NullMarked;
