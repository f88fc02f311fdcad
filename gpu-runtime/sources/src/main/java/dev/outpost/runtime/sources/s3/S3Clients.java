package dev.outpost.runtime.sources.s3;

import dev.outpost.runtime.source.SourceSecrets;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/**
 * Creates clients from the environment: credentials from the machine's secrets or the SDK's default chain (variables, files,
 * the pod's role), and region and endpoint from the SDK's variables, such as {@code AWS_ENDPOINT_URL_S3} for a store other
 * than Amazon's.
 */
final class S3Clients {
    private S3Clients() {}

    static S3AsyncClient ofEnvironment(SourceSecrets secrets) {
        AwsCredentialsProvider standard = DefaultCredentialsProvider.builder().build();
        S3AsyncClientBuilder client = S3AsyncClient.builder()
                .credentialsProvider(() -> mounted(secrets).orElseGet(standard::resolveCredentials))
                .httpClientBuilder(S3HttpClient::new)
                // S3Calls repeats calls itself. With the SDK's default of four attempts, a stalled store would take too
                // long to fail.
                .overrideConfiguration(calls -> calls.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(2)
                        .build()))
                // Other stores do not support checksums that the client did not request.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        if (isElsewhere()) {
            client.forcePathStyle(true);
            if (setting("aws.region", "AWS_REGION").isEmpty()) {
                client.region(Region.US_EAST_1);
            }
        }
        return client.build();
    }

    /** Returns the credentials from the machine's secrets, which have the names of the SDK's variables. */
    private static Optional<AwsCredentials> mounted(SourceSecrets secrets) {
        Optional<String> id = secrets.find("AWS_ACCESS_KEY_ID");
        Optional<String> key = secrets.find("AWS_SECRET_ACCESS_KEY");
        if (id.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(secrets.find("AWS_SESSION_TOKEN")
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(id.get(), key.get(), token))
                .orElseGet(() -> AwsBasicCredentials.create(id.get(), key.get())));
    }

    private static boolean isElsewhere() {
        return Stream.of(
                        setting("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3"),
                        setting("aws.endpointUrl", "AWS_ENDPOINT_URL"))
                .anyMatch(Optional::isPresent);
    }

    private static Optional<String> setting(String property, String variable) {
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(value -> !value.isBlank());
    }
}
