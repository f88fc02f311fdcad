package dev.outpost.cli.worker;

import dev.outpost.channel.grant.Secrets;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.WorkersApi;
import dev.outpost.rest.worker.WorkerPaired;
import dev.outpost.rest.worker.WorkerPairing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A paired host: its name as a cluster, and the key that it drew. The key is stored in a file that only the user can read; the backend has
 * its hash.
 *
 * @param access the address of the backend, and the key
 */
public record WorkerAccount(String cluster, BackendAccess access) {
    private static final Pattern CODE = Pattern.compile("wc_([a-z0-9-]{1,40})_[A-Za-z0-9-]{40,64}");
    private static final Pattern KEY = Pattern.compile("wk_([a-z0-9-]{1,40})_[A-Za-z0-9-]{40,64}");
    private static final String FILE = "worker-key";

    /** Returns the account stored in a folder; empty if this host was not paired. */
    public static Optional<WorkerAccount> kept(Path folder, String address, @Nullable Path authority)
            throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        Matcher key = KEY.matcher(lines.size() < 2 ? "" : lines.get(1));
        if (!key.matches()) {
            throw new IllegalArgumentException(
                    "worker: " + file + " holds no address and key; remove it, and pair this host again");
        }
        BackendAccess access = BackendAccess.of(address, lines.get(1)).withAuthority(authority);
        if (!access.address().toString().equals(lines.getFirst())) {
            throw new IllegalArgumentException("worker: this host is paired with " + lines.getFirst()
                    + ", and not with " + access.address() + "; name another folder by --state to pair it with both");
        }
        return Optional.of(new WorkerAccount(key.group(1), access));
    }

    /**
     * Pairs this host, and stores its key.
     *
     * @param code the code, as an operator's {@code POST /v1/clusters/NAME:pair} shows it
     * @param authority the file with the certificate's authority, or null, as in {@link BackendAccess#withAuthority}
     * @param capacity the capacity of this host
     * @throws dev.outpost.rest.client.BackendException if the backend refuses the code
     */
    public static WorkerAccount pair(
            Path folder, String address, @Nullable Path authority, String code, HostCapacity capacity)
            throws IOException {
        Matcher matcher = CODE.matcher(code.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "worker: expected a code as POST /v1/clusters/NAME:pair shows it, wc_..., got something else");
        }
        BackendAccess own = BackendAccess.of(address, draw(matcher.group(1))).withAuthority(authority);
        // Stores the key before the pairing: if the key were lost afterwards, the host would need another code.
        Path half = write(folder, own);
        try {
            WorkerPaired paired = new WorkersApi(
                            new BackendClient(BackendAccess.of(address, code).withAuthority(authority)))
                    .join(new WorkerPairing(Secrets.sha256Hex(own.key()), capacity.gpus(), capacity.machines()));
            Files.move(half, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new WorkerAccount(paired.cluster(), own);
        } finally {
            Files.deleteIfExists(half);
        }
    }

    private static Path write(Path folder, BackendAccess access) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path half = Files.createTempFile(
                folder,
                FILE,
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(half, access.address() + "\n" + access.key() + "\n");
    }

    private static String draw(String cluster) {
        return "wk_" + cluster + "_" + Secrets.draw(new SecureRandom()).replace('_', '-');
    }

    @Override
    public String toString() {
        return "WorkerAccount[" + cluster + " at " + access.address() + "]";
    }
}
