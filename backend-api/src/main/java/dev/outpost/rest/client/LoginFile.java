package dev.outpost.rest.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The file with an address, a key and the path of a private authority's file, each on a line. Only the user can read it. */
record LoginFile(Path file) {
    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    static LoginFile ofUser() {
        return new LoginFile(Path.of(System.getProperty("user.home"), ".outpost", "login"));
    }

    /** Returns the stored access; empty without a login. */
    Optional<BackendAccess> read() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            requireClosed();
            List<String> lines = Files.readAllLines(file);
            if (lines.size() < 2) {
                throw new IllegalArgumentException(file + " holds no address and key; run ./outpost login again");
            }
            return Optional.of(BackendAccess.of(lines.get(0), lines.get(1))
                    .withAuthority(lines.size() > 2 ? Path.of(lines.get(2)) : null));
        } catch (IOException failure) {
            throw new UncheckedIOException(file + " cannot be read", failure);
        }
    }

    private void requireClosed() throws IOException {
        boolean isOpen = Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains);
        if (isOpen) {
            throw new IllegalArgumentException(file + " holds a key and can be read by others on this host; chmod 600 "
                    + file + ", and have the key rotated");
        }
    }

    void write(BackendAccess access) throws IOException {
        Files.createDirectories(file.getParent());
        Path half = Files.createTempFile(
                file.getParent(),
                "login",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        String authority = access.authority().map(kept -> kept + "\n").orElse("");
        Files.writeString(half, access.address() + "\n" + access.key() + "\n" + authority);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
