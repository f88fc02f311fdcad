package dev.outpost.cli.gpu;

import java.util.Locale;

/**
 * How fast a work should be.
 *
 * @param peer how PyTorch computes the same: {@code eager} or {@code compiled}
 * @param factor of its speed
 */
record Aim(String peer, double factor) {
    String told(double milliseconds, double peerMilliseconds) {
        double reached = peerMilliseconds / milliseconds;
        return String.format(
                Locale.ROOT,
                "PyTorch %s %.3f ms, so %.2f of its speed (aim %.2f, %s)",
                peer,
                peerMilliseconds,
                reached,
                factor,
                reached >= factor ? "reached" : "missed");
    }
}
