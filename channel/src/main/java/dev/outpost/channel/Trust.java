package dev.outpost.channel;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** The proof by which a client recognises a machine. No kind of trust accepts every machine. */
public sealed interface Trust {

    /**
     * Accepts exactly this certificate, regardless of its issuer.
     *
     * @param sha256 the SHA-256 of the certificate (DER), as 64 hex digits
     */
    record Pin(String sha256) implements Trust {
        private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

        public Pin {
            sha256 = sha256.toLowerCase(Locale.ROOT);
            if (!SHA256.matcher(sha256).matches()) {
                throw new IllegalArgumentException(
                        "pin: expected the 64 hex digits of a SHA-256, got \"" + sha256 + "\"");
            }
        }
    }

    /**
     * Accepts a certificate that one of these authorities has issued for the requested host.
     *
     * @param certificates one or more certificates in PEM
     */
    record Authority(String certificates) implements Trust {
        public Authority {
            Objects.requireNonNull(certificates, "certificates");
            if (!certificates.contains("-----BEGIN CERTIFICATE-----")) {
                throw new IllegalArgumentException("authority: expected certificates in PEM, found none");
            }
        }

        @Override
        public String toString() {
            return "Authority[" + certificates.length() + " characters]";
        }
    }
}
