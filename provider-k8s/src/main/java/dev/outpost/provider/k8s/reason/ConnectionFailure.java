package dev.outpost.provider.k8s.reason;

import dev.outpost.channel.CertificateFailure;
import dev.outpost.provider.k8s.reason.symptom.ApiSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Finds out why the API server did not answer. */
final class ConnectionFailure {
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");
    private static final Set<String> ALERTS_OF_CERTIFICATES = Set.of(
            "bad_certificate",
            "unsupported_certificate",
            "certificate_revoked",
            "certificate_expired",
            "certificate_unknown",
            "unknown_ca",
            "access_denied",
            "certificate_required");

    private ConnectionFailure() {}

    static Finding finding(Throwable failure) {
        List<Throwable> chain = chain(failure);
        return certificate(chain)
                .or(() -> first(chain, UnknownHostException.class::isInstance)
                        .map(cause ->
                                ApiSymptom.HOST_UNKNOWN.found("the API server's host is not known: " + text(cause))))
                .or(() -> first(chain, ConnectionFailure::isTimeout)
                        .map(cause -> ApiSymptom.TIMED_OUT.found("the API server does not answer: " + text(cause))))
                .or(() -> first(chain, ConnectionFailure::isRefusal)
                        .map(cause ->
                                ApiSymptom.NOT_LISTENING.found("the API server takes no connections: " + text(cause))))
                .or(() -> first(chain, ConnectionFailure::isLoss)
                        .map(cause -> ApiSymptom.CONNECTION_LOST.found(
                                "the connection to the API server was lost: " + text(cause))))
                .orElseGet(() -> ApiSymptom.FAILED.found("the request failed: " + text(chain.getLast())));
    }

    /**
     * Returns the finding of a refused certificate: this side refused the server's, or the server refused the client's. Other failures of a
     * handshake count as lost connections.
     */
    private static Optional<Finding> certificate(List<Throwable> chain) {
        return CertificateFailure.in(chain.getFirst())
                .map(why -> ApiSymptom.NOT_TRUSTED.found(
                        "the API server's certificate is not trusted: " + RefusalMessages.oneLine(why)))
                .or(() -> first(chain, ConnectionFailure::isAlert)
                        .map(cause -> ApiSymptom.NOT_TRUSTED.found(
                                "the API server does not accept the client's certificate: " + text(cause))));
    }

    /** Returns true for an alert of the other side about a certificate. The JDK has no class for it. Its message has RFC 8446's name. */
    private static boolean isAlert(Throwable cause) {
        Matcher alert = ALERT.matcher(cause instanceof SSLException ? text(cause) : "");
        return alert.find() && ALERTS_OF_CERTIFICATES.contains(alert.group(1));
    }

    private static boolean isTimeout(Throwable cause) {
        return cause instanceof SocketTimeoutException
                || cause instanceof TimeoutException
                || cause instanceof HttpTimeoutException
                || text(cause).contains("connection timed out");
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof ConnectException || cause instanceof NoRouteToHostException;
    }

    /** Returns true for a lost connection. If the other side closes, Vert.x throws an exception that is not an IOException. */
    private static boolean isLoss(Throwable cause) {
        return cause instanceof IOException || text(cause).contains("Connection was closed");
    }

    private static Optional<Throwable> first(List<Throwable> chain, Predicate<Throwable> predicate) {
        return chain.reversed().stream().filter(predicate).findFirst();
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && !chain.contains(cause); cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null || cause.getMessage().isBlank()
                ? cause.getClass().getSimpleName()
                : RefusalMessages.oneLine(cause.getMessage());
    }
}
