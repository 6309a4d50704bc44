package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.DocumentFormat;
import io.neardup.tools.feed.Feed;
import java.io.InputStream;
import java.util.List;

/** Feeds as the settings want them: where documents are plain text, every line is one, whatever is in it. */
public final class Feeds {
    private Feeds() {}

    /** A feed of which nothing is open yet; the parameters are those of {@link Feed}. */
    public static Feed of(List<String> files, InputStream standardInput, NeardupConfig config, int recordBytesMax) {
        return new Feed(files, standardInput, kind(config), recordBytesMax);
    }

    /** What files are taken for. */
    public static Feed.Kind kind(NeardupConfig config) {
        return config.documentFormat() == DocumentFormat.JSON ? Feed.Kind.ANY : Feed.Kind.LINES;
    }
}
