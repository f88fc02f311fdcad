package dev.outpost.runtime.peer.network;

import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A network for members that were configured with a common secret. They authenticate with the HMAC-SHA256 of the
 * client's key under that secret. So a machine without the secret cannot join a group, even if a client asks for it.
 */
public final class GrantedPeerNetwork implements PeerNetwork {
    private static final String ALGORITHM = "HmacSHA256";

    private final PeerNetwork network;
    private final byte[] grant;

    /** @param grant the secret of the group; not empty */
    public GrantedPeerNetwork(PeerNetwork network, byte[] grant) {
        if (grant.length == 0) {
            throw new IllegalArgumentException("outpost.runtime.peers.grant-file: the file is empty");
        }
        this.network = network;
        this.grant = grant.clone();
    }

    @Override
    public PeerRendezvous open(String group, String key, int rank, int size) throws IOException {
        return network.open(group, derived(key), rank, size);
    }

    private String derived(String key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(grant, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(key.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the JVM has no " + ALGORITHM, impossible);
        }
    }
}
