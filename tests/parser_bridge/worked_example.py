"""The worked example of C&C's evaluation: four sentences, the third without a parse."""

TAGS = r"""# gold

John|NNP|N loves|VBZ|(S[dcl]\NP)/NP Mary|NNP|N .|.|.
John|NNP|N and|CC|conj Mary|NNP|N want|VBP|(S[dcl]\NP)/(S[to]\NP) to|TO|(S[to]\NP)/(S[b]\NP) buy|VB|(S[b]\NP)/NP a|DT|NP[nb]/N house|NN|N in|IN|((S\NP)\(S\NP))/NP Paris|NNP|N .|.|.
Mary|NNP|N John|NNP|N the|DT|NP[nb]/N
Hello|UH|N
"""  # noqa: E501

DEPS = r"""# gold

loves_2 (S[dcl]\NP)/NP 1 John_1
loves_2 (S[dcl]\NP)/NP 2 Mary_3

want_4 (S[dcl]\NP)/(S[to]\NP) 1 John_1
want_4 (S[dcl]\NP)/(S[to]\NP) 1 Mary_3
want_4 (S[dcl]\NP)/(S[to]\NP) 2 to_5
to_5 (S[to]\NP)/(S[b]\NP) 2 buy_6
buy_6 (S[b]\NP)/NP 1 John_1
buy_6 (S[b]\NP)/NP 1 Mary_3
buy_6 (S[b]\NP)/NP 2 house_8
a_7 NP[nb]/N 1 house_8
in_9 ((S\NP)\(S\NP))/NP 2 buy_6
in_9 ((S\NP)\(S\NP))/NP 3 Paris_10

the_3 NP[nb]/N 1 John_2


"""

WITHOUT_DETERMINER = DEPS.replace("a_7 NP[nb]/N 1 house_8\n", "")

PARG = r"""<s id="1"> 3
0	1	(S[dcl]\NP)/NP	1	John loves
2	1	(S[dcl]\NP)/NP	2	Mary loves
<\s>
<s id="2"> 10
0	3	(S[dcl]\NP)/(S[to]\NP)	1	John want
2	3	(S[dcl]\NP)/(S[to]\NP)	1	Mary want
4	3	(S[dcl]\NP)/(S[to]\NP)	2	to want
5	4	(S[to]\NP)/(S[b]\NP)	2	buy to
0	5	(S[b]\NP)/NP	1	John buy <XB>
2	5	(S[b]\NP)/NP	1	Mary buy <XB>
7	5	(S[b]\NP)/NP	2	house buy
7	6	NP[nb]/N	1	house a
5	8	((S\NP)\(S\NP))/NP	2	buy in
9	8	((S\NP)\(S\NP))/NP	3	Paris in
<\s>
<s id="3"> 2
1	2	NP[nb]/N	1	John the
<\s>
<s id="4"> 0
<\s>
"""

OUTPUT = r"""# mandatory preface
# mandatory preface

loves_2 ((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 2 Mary_3 0
loves_2 ((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 John_1 0
<c> John|NNP|N loves|VBZ|(S[dcl]\NP)/NP Mary|NNP|N .|.|.

and_2 conj 1 John_1 0
and_2 conj 1 Mary_3 0
want_4 ((S[dcl]{_}\NP{Y}<1>){_}/(S[to]{Z}<2>\NP{Y*}){Z}){_} 1 John_1 0
want_4 ((S[dcl]{_}\NP{Y}<1>){_}/(S[to]{Z}<2>\NP{Y*}){Z}){_} 1 Mary_3 0
want_4 ((S[dcl]{_}\NP{Y}<1>){_}/(S[to]{Z}<2>\NP{Y*}){Z}){_} 2 to_5 0
to_5 ((S[to]{_}\NP{Z}<1>){_}/(S[b]{Y}<2>\NP{Z*}){Y}){_} 1 John_1 0
to_5 ((S[to]{_}\NP{Z}<1>){_}/(S[b]{Y}<2>\NP{Z*}){Y}){_} 1 Mary_3 0
to_5 ((S[to]{_}\NP{Z}<1>){_}/(S[b]{Y}<2>\NP{Z*}){Y}){_} 2 buy_6 0
buy_6 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 John_1 0
buy_6 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 Mary_3 0
buy_6 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 2 house_8 0
a_7 (NP[nb]{Y}/N{Y}<1>){_} 1 house_8 0
in_9 ((NP{Y}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 house_8 0
in_9 ((NP{Y}\NP{Y}<1>){_}/NP{Z}<2>){_} 2 Paris_10 0
<c> John|NNP|N and|CC|conj Mary|NNP|N want|VBP|(S[dcl]\NP)/(S[to]\NP) to|TO|(S[to]\NP)/(S[b]\NP) buy|VB|(S[b]\NP)/NP a|DT|NP[nb]/N house|NN|N in|IN|(NP\NP)/NP Paris|NNP|N .|.|.


<c> Hello|UH|N

"""  # noqa: E501
