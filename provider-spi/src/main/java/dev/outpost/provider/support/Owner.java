package dev.outpost.provider.support;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The person and host that request machines: {@code ada@laptop}. */
public final class Owner {
    private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private Owner() {}

    public static String ofThisProcess() {
        return System.getProperty("user.name", "somebody") + "@" + host();
    }

    /** Returns the name of this host, if possible without a resolver, which may be slow. */
    private static String host() {
        return variable("HOSTNAME")
                .or(() -> variable("COMPUTERNAME"))
                .or(Owner::ofKernel)
                .orElseGet(Owner::ofResolver);
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    private static Optional<String> ofKernel() {
        try {
            return Optional.of(Files.readString(KERNEL_HOSTNAME).strip());
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }

    private static String ofResolver() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException ignored) {
            return "somewhere";
        }
    }
}
