package io.neardup.engine.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stop words that come with the program: articles, pronouns, prepositions, conjunctions, auxiliary verbs and
 * particles, in small letters and NFC. An apostrophe ends a token (l'homme, don't), so the lists have the parts.
 */
final class StopWordLists {
    private static final String ENGLISH = """
            a an the
            i me my you your he him his she her it its itself
            we us our they them their themselves
            this that these those who whom whose which what there here
            and or but nor if then than because while although though so as until unless whether
            of to in on at by for from with without about against between into through during before after above below
            over under up down out off
            is are was were be been being have has had having do does did
            will would shall should can cannot could may might must
            not no only own same such too very just also still yet both each either neither any some all
            few more most other another again once when where why how
            s t d ll re ve m don doesn didn isn
            """;

    private static final String GERMAN = """
            der die das den dem des ein eine einen einem einer eines kein keine
            ich mich mir mein meine meinen du dich dir er ihn ihm sein seine seinen seinem seiner
            sie ihr ihre ihren ihrem ihrer es wir uns unser unsere sich man
            dieser diese dieses diesen diesem jeder jede jeden welche welcher wer was
            und oder aber denn sondern doch wenn weil dass daß ob als wie damit während bis
            in im ins an am auf aus bei beim mit nach von vom vor zu zum zur für gegen ohne um durch über unter
            zwischen
            bin bist ist sind war waren habe hast hat haben hatte hatten hätte
            werde wird werden wurde wurden würde würden kann können konnte konnten
            muss müssen soll sollen will wollen
            nicht auch nur noch schon so sehr mehr da dann hier nun immer wieder alle alles
            wo
            """;

    private static final String FRENCH = """
            le la les l un une des du de d au aux
            je j me m moi tu te t toi il elle on nous vous ils elles se s soi lui leur leurs y en
            mon ma mes ton ta tes son sa ses notre nos votre vos
            ce c cet cette ces ça celui
            qui que qu dont où quel
            et ou mais ni or donc si comme quand lorsque
            à dans par pour sur sous avec sans chez entre contre depuis pendant avant après dès jusque jusqu selon
            ne n pas plus très aussi déjà là alors ainsi même mêmes tout toute tous
            autre autres aucun chaque plusieurs
            suis es est sommes êtes sont était étaient étant été être fut sera seront serait soit
            soient ai as a avons avez ont avait avaient ayant eu avoir ait aient
            fait faire peut peuvent doit
            """;

    private static final String SPANISH = """
            el la los las lo un una unos unas al del
            yo me mí mi mis tú te ti tu tus él ella ello ellos ellas se sí le les nos nosotros usted
            su sus nuestro nuestra nuestros nuestras
            este esta esto estos estas ese esa eso esos esas
            que qué quien quienes cual cuales donde dónde cuando cuándo como cómo
            y e o u ni pero sino aunque si porque pues mientras
            a con contra de desde durante en entre hacia hasta para por sin sobre
            no también tampoco muy más menos ya todavía así sólo solo tan tanto
            todo toda todos todas otro otra otros otras mismo misma cada algo nada
            es somos son era eran ser sido siendo fue fueron será serán sería sea sean
            estoy está están estaba estaban estado he ha hemos han había hay habrá haya hayan
            tiene tienen tenía puede
            """;

    private static final String PORTUGUESE = """
            o a os as um uma uns umas ao aos à às do da dos das no na nos nas pelo pela pelos pelas
            eu me mim meu minha te ele ela eles elas se si lhe lhes você vocês
            seu sua seus suas nosso nossa dele dela deles delas
            este esta isto estes estas esse essa isso esses essas
            deste desta desse dessa
            que quem qual quais onde quando como
            e ou mas nem porque pois
            ante após até com contra de d desde em entre para por sem sob sobre
            não também muito mais menos já ainda assim então só tão
            todo toda todos todas outro outra outros outras mesmo mesma cada nada
            sou é somos são era eram ser sido sendo foi foram será serão seria seja
            estou está estão estava estar há temos tem têm tinha tinham ter tendo teve
            pode podem vai
            """;

    private static final String ITALIAN = """
            il lo la i gli le l un uno una
            di d a da in con su per tra fra del dello della dell dei degli delle al allo alla all ai agli alle
            dal dallo dalla dall dai dagli dalle nel nello nella nell nei negli nelle
            sul sullo sulla sull sui sugli sulle
            io me mi m mio mia tu te ti t lui lei egli noi ci c voi vi v loro si s se ne n
            suo sua nostro nostra
            questo questa questi queste quest quello quella
            che chi cui quale quali dove quando come
            e ed o od ma né perché poiché mentre anche
            non più meno così solo
            tutto tutta tutti tutte altro altra altri altre ogni stesso stessa
            sono è siamo era erano essere stato stata fu sarà saranno sia
            ho ha abbiamo hanno aveva avere avrà
            può
            """;

    private static final String DUTCH = """
            de het een der den des t n s d
            ik me mij mijn je jij jouw u uw hij hem zijn ze zij haar wij we ons onze hun hen zich men
            dit dat deze die daar hier er wie wat welke welk waar wanneer hoe waarom
            en of maar want dus als dan omdat
            aan achter bij binnen door in met na naar naast om onder op over per sinds te ten ter
            tegen tijdens tot tussen uit van via voor zonder
            niet geen ook nog al wel zo zeer meer minder zelf alle alles andere elke ieder
            iets niets veel weer toch nu
            ben bent is was waren geweest heb hebt heeft hebben had hadden gehad
            word wordt worden werd werden zal zullen zou zouden
            kan kunnen kon konden mag mogen mocht moet moeten moest wil willen doen doet
            """;

    private static final Map<String, String> LISTS = lists();

    private StopWordLists() {}

    static List<String> languages() {
        return List.copyOf(LISTS.keySet());
    }

    /** @throws IllegalArgumentException when there is no list of the language */
    static List<String> of(String language) {
        String list = LISTS.get(language);
        if (list == null) {
            throw new IllegalArgumentException(
                    "Language of stop words '" + language + "': expected one of " + String.join(", ", LISTS.keySet()));
        }
        return List.of(list.split("\\s+"));
    }

    private static Map<String, String> lists() {
        Map<String, String> lists = new LinkedHashMap<>();
        lists.put("en", ENGLISH);
        lists.put("de", GERMAN);
        lists.put("fr", FRENCH);
        lists.put("es", SPANISH);
        lists.put("pt", PORTUGUESE);
        lists.put("it", ITALIAN);
        lists.put("nl", DUTCH);
        return lists;
    }
}
