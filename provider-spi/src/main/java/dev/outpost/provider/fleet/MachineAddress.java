package dev.outpost.provider.fleet;

import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import java.util.Objects;

/**
 * The address of a machine, and the certificate that identifies it.
 *
 * @param host a name or an address; an IPv6 address without brackets
 * @param port the TCP port
 * @param certificate the SHA-256 of the machine's certificate
 */
public record MachineAddress(String host, int port, Trust.Pin certificate) {
    public MachineAddress {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(certificate, "certificate");
    }

    /** Makes the endpoint for the holder of a token. */
    public Endpoint.Remote endpoint(String token) {
        return new Endpoint.Remote(host, port, certificate, token);
    }
}
