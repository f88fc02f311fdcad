package dev.outpost.runtime.source.file;

import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreProvider;
import java.util.Set;

/** Provides {@link FileStore} for paths. */
public final class FileStores implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of(Paths.SCHEME);
    }

    @Override
    public Store open(SourceSettings settings) {
        return new FileStore(settings, new Paths(settings));
    }
}
