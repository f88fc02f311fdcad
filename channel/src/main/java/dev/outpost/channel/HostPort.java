package dev.outpost.channel;

/** A host and a port in one text, such as {@code gpu.example.org:443} or {@code [fd00::7]:443}. */
public final class HostPort {
    private HostPort() {}

    /**
     * Returns the text, with brackets around an IPv6 address.
     *
     * @param host a name or an address; an IPv6 address without brackets
     */
    public static String text(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
