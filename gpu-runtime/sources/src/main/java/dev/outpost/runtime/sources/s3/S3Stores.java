package dev.outpost.runtime.sources.s3;

import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreProvider;
import java.util.Set;

/** Provides {@link S3Store}. */
public final class S3Stores implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of(S3Location.SCHEME);
    }

    @Override
    public Store open(SourceSettings settings) {
        return new S3Store(S3Clients.ofEnvironment(settings.secrets()));
    }
}
