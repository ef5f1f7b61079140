-- questions.lua - the pandoc filter of `make questions`: reads the questions of one file, and appends them in three forms that systems for
-- courses import to files in the folder QUESTIONS: moodle.xml, questions.gift and a file of QTI 2.1 for each. LESSON is the lesson's folder,
-- TITLE what its category is called.
--
-- A question is a section of the second level: its text, a list of choices with the letters A., B., ..., and a fold in which a paragraph that
-- begins with the bold letter says why that one is right, and paragraphs that begin with letters in italics say why those tempt. The letters
-- stay where they are: explanations name them, so nothing is shuffled. Other sections are left out; a question that lacks something ends the run.

local folder, lesson, title = os.getenv("QUESTIONS"), os.getenv("LESSON"), os.getenv("TITLE")
local written = 0

local function fail(...)
    io.stderr:write(lesson .. ": " .. string.format(...) .. "\n")
    os.exit(1)
end

local function append(name, text)
    local file = io.open(folder .. "/" .. name, "a") or fail("cannot write %s", name)
    file:write(text)
    file:close()
end

-- What other systems show of a page: formulas as TeX between \( and \), for their own filters, and code without colours.
local PLAIN = {
    Math = function(math) return pandoc.RawInline("html", "\\(" .. math.text:gsub("&", "&amp;"):gsub("<", "&lt;") .. "\\)") end,
    CodeBlock = function(block) return pandoc.CodeBlock(block.text) end,
}

local function html(blocks)
    return (pandoc.write(pandoc.Pandoc(pandoc.Div(blocks):walk(PLAIN).content), "html"):gsub("%s+$", ""))
end

local function xml(text)
    return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"))
end

-- ---- reading ----

-- The letters with which a paragraph begins, and whether they are bold: "*A*, *B* and *C*: ..." has three.
local function labels_of(block)
    local letters, right = {}, false
    if block.t ~= "Para" then return letters, right end
    for _, inline in ipairs(block.content) do
        local text = pandoc.utils.stringify(inline):gsub("%.$", "")
        local marked = inline.t == "Strong" or inline.t == "Emph"
        if marked and text:match("^%u$") then
            letters[#letters + 1] = text
            right = right or inline.t == "Strong"
        elseif inline.t ~= "Space" and text ~= "," and text ~= "and" then
            break
        end
    end
    return letters, right
end

-- Why each choice is right or wrong: what follows a paragraph with letters belongs to the same ones.
local function explain(question, fold)
    local current = {}
    for _, block in ipairs(fold.content) do
        local letters, right = labels_of(block)
        if #letters > 0 then current = letters end
        for _, letter in ipairs(current) do
            local choice = question.choices[letter:byte() - 64] or fail("%s: there is no choice %s", question.name, letter)
            choice.why:insert(block)
            choice.right = choice.right or (right and #letters > 0)
        end
    end
end

local function check(question)
    local right = 0
    for number, choice in ipairs(question.choices) do
        if #choice.why == 0 then fail("%s: nothing says why %c is right or wrong", question.name, 64 + number) end
        if choice.right then right = right + 1 end
    end
    if right ~= 1 then fail("%s: %d choices are right, not one", question.name, right) end
    if #question.choices < 3 then fail("%s: a question has three choices or more", question.name) end
end

local function question_of(name, blocks)
    local question = { name = name, text = pandoc.List(), choices = pandoc.List() }
    for _, block in ipairs(blocks) do
        if block.t == "OrderedList" and block.listAttributes.style == "UpperAlpha" then
            for _, item in ipairs(block.content) do question.choices:insert({ text = item, why = pandoc.List(), right = false }) end
        elseif block.t == "Div" and block.classes:includes("fold") then
            explain(question, block)
        elseif #question.choices == 0 then
            question.text:insert(block)
        end
    end
    return #question.choices > 0 and question or nil
end

-- ---- writing ----

local function moodle(question)
    local out = { "<question type=\"multichoice\">\n<name><text>", xml(lesson:sub(1, 2) .. " " .. question.name), "</text></name>\n",
        "<questiontext format=\"html\"><text>", xml(html(question.text)), "</text></questiontext>\n",
        "<defaultgrade>1</defaultgrade><penalty>0.3333333</penalty><hidden>0</hidden>\n<single>true</single>",
        "<shuffleanswers>false</shuffleanswers><answernumbering>ABCD</answernumbering>\n" }
    for _, choice in ipairs(question.choices) do
        out[#out + 1] = string.format("<answer fraction=\"%d\" format=\"html\"><text>%s</text>\n<feedback format=\"html\"><text>%s</text></feedback></answer>\n",
            choice.right and 100 or 0, xml(html(choice.text)), xml(html(choice.why)))
    end
    out[#out + 1] = "</question>\n"
    append("moodle.xml", table.concat(out))
end

-- GIFT gives some characters a meaning, and a blank line ends a question.
local function gift_text(text)
    return (text:gsub("\\", "\\\\"):gsub("[~=#{}:]", "\\%0"):gsub("\n", "\\n"))
end

local function gift(question)
    local out = { "::", gift_text(lesson:sub(1, 2) .. " " .. question.name), "::[html]", gift_text(html(question.text)), "{\n" }
    for _, choice in ipairs(question.choices) do
        out[#out + 1] = string.format("%s%s#%s\n", choice.right and "=" or "~", gift_text(html(choice.text)), gift_text(html(choice.why)))
    end
    out[#out + 1] = "}\n\n"
    append("questions.gift", table.concat(out))
end

local QTI = [[
<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="%s" title="%s" adaptive="false" timeDependent="false">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>%s</value></correctResponse></responseDeclaration>
<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>
<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>
<itemBody>
%s
<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
%s</choiceInteraction>
</itemBody>
<responseProcessing>
<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>
<setOutcomeValue identifier="FEEDBACK"><variable identifier="RESPONSE"/></setOutcomeValue>
</responseProcessing>
%s</assessmentItem>
]]

local function qti(question)
    local name, choices, whys, right = string.format("q%s-%d", lesson:sub(1, 2), written), {}, {}, nil
    for number, choice in ipairs(question.choices) do
        local letter = string.char(64 + number)
        if choice.right then right = letter end
        choices[number] = string.format("<simpleChoice identifier=\"%s\" fixed=\"true\">%s</simpleChoice>\n", letter, html(choice.text))
        whys[number] = string.format("<modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"%s\" showHide=\"show\">%s</modalFeedback>\n", letter, html(choice.why))
    end
    append("qti/" .. name .. ".xml", string.format(QTI, name, xml(question.name):gsub('"', "&quot;"), right, html(question.text), table.concat(choices), table.concat(whys)))
end

function Pandoc(document)
    local name, blocks = nil, {}
    local function close()
        local question = name and question_of(name, blocks)
        if not question then return end
        check(question)
        written = written + 1
        moodle(question)
        gift(question)
        qti(question)
    end
    written = tonumber(os.getenv("WRITTEN"))
    for _, block in ipairs(document.blocks) do
        if block.t == "Header" and block.level <= 2 then
            close()
            name, blocks = pandoc.utils.stringify(block), {}
            if name == "Predict" then name = title end
        else
            blocks[#blocks + 1] = block
        end
    end
    close()
    append("count", written .. "\n")
    return pandoc.Pandoc({})
end
