package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Texts of the same frequent words, as Apache Nutch and Solr find them: similarity 1 for texts of equal
 * {@link TextProfile}, else 0. The evidence is the MD5 of the profile's UTF-8. It is cheap, and coarse both ways. Short
 * texts with little in common can be equal, and one frequent word more or less makes long texts unlike. Anybody can
 * write a text that has the profile of another.
 *
 * <p>Deviates where no token is left, as in a text of short words or of symbols. Here the raw bytes of such a text are
 * compared, in both orders. Nutch and Solr take the MD5 of nothing, so that all such texts match each other.
 *
 * <p>The evidence of any other text is Nutch's signature of it. It is not what Solr's update processor stores: this
 * puts the name of each field into the profile, before the field.
 */
public final class TextProfileFamily extends EqualityFamily {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final TextProfile profile;

    public TextProfileFamily(TextProfile profile) {
        super(Similarity.of(1), Similarity.of(0));
        this.profile = profile;
    }

    @Override
    Digester digester() {
        Md5 md5 = new Md5();
        return (utf8, from, to) -> {
            byte[] words = profile.of(new String(utf8, from, to - from, UTF_8)).getBytes(UTF_8);
            return words.length == 0 ? md5.of(utf8, from, to) : md5.of(words, 0, words.length);
        };
    }

    @Override
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("signature.version", String.valueOf(VERSION));
        identity.put("textprofile.version", String.valueOf(TextProfile.VERSION));
        identity.put("textprofile.order", profile.order().toString());
        identity.put("textprofile.token.min", String.valueOf(profile.minTokenLength()));
        identity.put("textprofile.quantisation", String.valueOf(profile.quantRate()));
        return identity;
    }
}
