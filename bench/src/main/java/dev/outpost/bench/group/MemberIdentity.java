package dev.outpost.bench.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A certificate with its key, like that which a runtime generates.
 *
 * @param sha256 the hash of the certificate, in hex
 */
record MemberIdentity(KeyManager keys, String sha256) {
    private static final String PASSWORD = "benchmark";

    /** Lets keytool generate a certificate in the file. */
    static void make(Path file) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "m",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=bench",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String text = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + text);
        }
    }

    static MemberIdentity read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        byte[] hash = MessageDigest.getInstance("SHA-256")
                .digest(store.getCertificate("m").getEncoded());
        return new MemberIdentity(managers.getKeyManagers()[0], HexFormat.of().formatHex(hash));
    }
}
