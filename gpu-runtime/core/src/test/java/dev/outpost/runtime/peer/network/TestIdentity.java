package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A certificate that is made by keytool.
 *
 * @param sha256 the hash of the certificate, in hex
 */
record TestIdentity(KeyManager keys, String sha256) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    static TestIdentity make(Path folder) throws Exception {
        Path store = folder.resolve("identity.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "m",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String text = new String(keytool.getInputStream().readAllBytes());
        assertEquals(0, keytool.waitFor(), text);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        byte[] hash = MessageDigest.getInstance("SHA-256")
                .digest(keys.getCertificate("m").getEncoded());
        return new TestIdentity(managers.getKeyManagers()[0], HexFormat.of().formatHex(hash));
    }
}
