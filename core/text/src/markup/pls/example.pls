<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0"
     xmlns="http://www.w3.org/2005/01/pronunciation-lexicon"
     xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:schemaLocation="http://www.w3.org/2005/01/pronunciation-lexicon
       http://www.w3.org/TR/2007/CR-pronunciation-lexicon-20071212/pls.xsd"
     alphabet="ipa" xml:lang="en-GB">
 <meta name="Creator" content="Someone"/>
 <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
 <!-- A comment. -->
 <lexeme xml:id="c">
   <grapheme>colour</grapheme>
   <grapheme>color</grapheme>
   <phoneme>ˈkʌlə</phoneme>
   <phoneme prefer="true">ˈkɒlɔː</phoneme>
   <example>My favourite colour.</example>
 </lexeme>
 <lexeme><grapheme>UN</grapheme><alias>United   Nations
 </alias></lexeme>
 <lexeme><grapheme>tomato</grapheme><phoneme>/təˈmeɪtoʊ/</phoneme></lexeme>
 <lexeme>
   <grapheme>Madison</grapheme>
   <phoneme alphabet="cmu-arpabet">M AE1 D IH0 S AH0 N</phoneme>
 </lexeme>
 <lexeme><grapheme>AT&amp;T</grapheme><alias><![CDATA[A T & T]]></alias></lexeme>
</lexicon>
