package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class IdentityLoaderTest {
    @Test
    void aMadeCertificateIsSignedByItsOwnKeyAndKnownByItsHash() throws GeneralSecurityException {
        MachineIdentity identity = IdentityLoader.create();
        X509Certificate certificate = identity.chain().getFirst();
        certificate.checkValidity();
        certificate.verify(certificate.getPublicKey());
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        assertEquals(HexFormat.of().formatHex(hash), identity.sha256());
    }

    @Test
    void identitiesOfMachinesDiffer() {
        assertNotEquals(
                IdentityLoader.create().sha256(), IdentityLoader.create().sha256());
    }

    @Test
    void aGivenOneIsReadFromItsFiles(@TempDir Path folder) throws IOException {
        MachineIdentity made = IdentityLoader.create();
        Path certificate = write(folder.resolve("certificate.pem"), made.chain().getFirst());
        Path key = write(
                folder.resolve("key.pem"),
                new PemObject("PRIVATE KEY", made.key().getEncoded()));
        assertEquals(made, IdentityLoader.read(certificate, key));
    }

    /** Older versions of openssl write keys as PKCS#1 instead of PKCS#8. */
    @Test
    void aKeyInAnOlderFormatIsReadToo(@TempDir Path folder) throws IOException, GeneralSecurityException {
        Path certificate = write(
                folder.resolve("certificate.pem"),
                IdentityLoader.create().chain().getFirst());
        PrivateKey key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
        Path file = write(folder.resolve("key.pem"), key);
        assertTrue(Files.readString(file).startsWith("-----BEGIN RSA PRIVATE KEY-----"));
        assertEquals(key, IdentityLoader.read(certificate, file).key());
    }

    @Test
    void unreadableFileIsNamed(@TempDir Path folder) throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");
        var malformed = assertThrows(IllegalArgumentException.class, () -> IdentityLoader.read(empty, empty));
        assertEquals("certificate: " + empty + " holds none in PEM", malformed.getMessage());
        Path certificate = write(
                folder.resolve("certificate.pem"),
                IdentityLoader.create().chain().getFirst());
        var keyless = assertThrows(IllegalArgumentException.class, () -> IdentityLoader.read(certificate, certificate));
        assertEquals("key: " + certificate + " holds no private key in PEM, or an encrypted one", keyless.getMessage());
        Path missing = folder.resolve("missing.pem");
        assertThrows(UncheckedIOException.class, () -> IdentityLoader.read(missing, missing));
    }

    private static Path write(Path file, Object content) throws IOException {
        try (JcaPEMWriter writer = new JcaPEMWriter(Files.newBufferedWriter(file))) {
            writer.writeObject(content);
        }
        return file;
    }
}
