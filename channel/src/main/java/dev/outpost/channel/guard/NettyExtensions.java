package dev.outpost.channel.guard;

/**
 * Makes Netty find {@link ConnectionGuard}. Apart from it, since a class of Netty starts the JVM's logging when it is loaded, which must
 * not happen before Quarkus sets its own log manager.
 */
public final class NettyExtensions {
    private NettyExtensions() {}

    /** Makes Netty look for services. To be called before the first server of the process starts. */
    public static void enable() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
    }
}
