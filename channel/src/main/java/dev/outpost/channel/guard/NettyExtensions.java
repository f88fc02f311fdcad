package dev.outpost.channel.guard;

/**
 * Makes Netty load {@link ConnectionGuard}. This class is separate, because {@code ConnectionGuard} extends a class of Netty. Loading that
 * would initialize the JVM's logging before Quarkus sets its own log manager.
 */
public final class NettyExtensions {
    private NettyExtensions() {}

    /** Enables Netty's loading of services. Call this before the first server of the process starts. */
    public static void enable() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
    }
}
