/**
 * Workers of the local network: runtimes that announce themselves by mDNS. {@link dev.outpost.provider.lan.Workers} finds them,
 * and {@code RemoteMachine.of("lan", "any")} computes on one.
 */
@NullMarked
package dev.outpost.provider.lan;

import org.jspecify.annotations.NullMarked;
