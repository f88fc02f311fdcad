package dev.outpost.provider.k8s.credentials;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token in a file that another program replaces. It is read for each request, so its age does not matter. */
final class TokenFile implements TokenSource {
    private final Path file;
    private final String field;
    private volatile String last = "";

    /** @param field names the field of the kubeconfig in errors */
    TokenFile(Path file, String field) {
        this.file = file;
        this.field = field;
    }

    /** Reads the token. While the file is being replaced, returns the last token. */
    @Override
    public String token() {
        String failure = "is empty";
        try {
            String read = Files.readString(file).strip();
            last = read.isEmpty() ? last : read;
        } catch (IOException exception) {
            failure = "cannot be read: " + exception;
        }
        if (last.isEmpty()) {
            throw new KubernetesClientException(field + ": the file " + file + " " + failure);
        }
        return last;
    }

    @Override
    public String renewed(String refused) {
        return token();
    }
}
