package dev.outpost.channel;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes the refusal of a peer's certificate from every other failure of a TLS handshake. Only the refusal is permanent. If a peer
 * ends in the middle of a handshake, or sends an alert or a damaged record, the next attempt may succeed.
 */
public final class CertificateFailure {
    private CertificateFailure() {}

    /**
     * Returns the reason why this side refused the peer's certificate: its path or its name was not valid, or it was not the pinned
     * one.
     *
     * @param failure the failure of a connection; its causes are searched
     * @return a sentence without its full stop; empty if the certificate was not refused
     */
    public static Optional<String> in(Throwable failure) {
        return in(failure, InstantSource.system());
    }

    /**
     * Does the same as {@link #in(Throwable)}. If the certificate's dates are not valid, the text also contains the
     * time of the given clock.
     */
    static Optional<String> in(Throwable failure, InstantSource clock) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable refusal = null;
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            boolean isRefusal = isRefusal(cause);
            refusal = isRefusal ? cause : refusal;
            if (isOfDates(cause)) {
                return Optional.of(text(cause) + "; the clock of this host says "
                        + clock.instant().truncatedTo(ChronoUnit.SECONDS));
            }
        }
        return Optional.ofNullable(refusal).map(CertificateFailure::text);
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof CertificateException
                || cause instanceof CertPathValidatorException
                || cause instanceof CertPathBuilderException;
    }

    private static boolean isOfDates(Throwable cause) {
        return cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException;
    }

    /** Adds an explanation to messages such as {@code NotBefore: Mon Jan 05 10:00:00 UTC 2026}, which are unclear. */
    private static String text(Throwable cause) {
        String text = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return switch (cause) {
            case CertificateExpiredException expired -> "its certificate has expired (" + text + ")";
            case CertificateNotYetValidException early -> "its certificate is not yet valid (" + text + ")";
            default -> text;
        };
    }
}
