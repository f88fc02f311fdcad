package dev.outpost.runtime.server;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the connections to a port, for each address and for all addresses together. Connections are counted when they are accepted, before
 * the server knows anything about them, because each needs memory and a file descriptor. Netty loads this class as a service.
 */
public final class PeerBounds extends ChannelInitializerExtension {
    /**
     * The maximum number of connections from one address. It is enough for all sessions that a machine serves by
     * default, with two transports each.
     */
    static final int MAX_OF_A_PEER = 640;

    static final int MAX_OF_A_PORT = 2048;

    private record Peer(int port, InetAddress address) {}

    /** The number of connections by port and address. Guarded by this. */
    private final Map<Peer, Integer> ofPeers = new HashMap<>();

    /** The number of connections by port. Guarded by this. */
    private final Map<Integer, Integer> ofPorts = new HashMap<>();

    /** Installs the limits. Call it before the first server starts. */
    static void install() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
    }

    @Override
    public void postInitializeServerChildChannel(Channel accepted) {
        if (accepted.remoteAddress() instanceof InetSocketAddress remote
                && accepted.localAddress() instanceof InetSocketAddress local) {
            Peer peer = new Peer(local.getPort(), remote.getAddress());
            if (admit(peer)) {
                accepted.closeFuture().addListener(closed -> leave(peer));
            } else {
                // All other ways of closing need the channel's event loop, and the channel has none yet.
                accepted.unsafe().closeForcibly();
            }
        }
    }

    private synchronized boolean admit(Peer peer) {
        int ofPeer = ofPeers.getOrDefault(peer, 0);
        int ofPort = ofPorts.getOrDefault(peer.port, 0);
        boolean hasRoom = ofPeer < MAX_OF_A_PEER && ofPort < MAX_OF_A_PORT;
        if (hasRoom) {
            ofPeers.put(peer, ofPeer + 1);
            ofPorts.put(peer.port, ofPort + 1);
        }
        return hasRoom;
    }

    private synchronized void leave(Peer peer) {
        ofPeers.computeIfPresent(peer, (same, count) -> count == 1 ? null : count - 1);
        ofPorts.computeIfPresent(peer.port, (same, count) -> count == 1 ? null : count - 1);
    }
}
